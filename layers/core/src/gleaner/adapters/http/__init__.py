"""Plain HTTP with every hop checked, and the proxy that checks the browser's."""
