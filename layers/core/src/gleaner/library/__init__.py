"""Gleaner as a library: the same state machine, in this process, with typed requests and results (LB-1, LB-4, LB-5)."""

from gleaner.library.async_client import AsyncBatch, AsyncGleaner
from gleaner.library.client import Gleaner
from gleaner.library.options import BudgetOptions, ConfigOptions, RequestOptions, RetryOptions, SettingOptions

__all__ = [
    "AsyncBatch",
    "AsyncGleaner",
    "BudgetOptions",
    "ConfigOptions",
    "Gleaner",
    "RequestOptions",
    "RetryOptions",
    "SettingOptions",
]
