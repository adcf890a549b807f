"""Chromium under Playwright."""
