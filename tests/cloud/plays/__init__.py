"""What the check does with the deployed stack, one after the other. One more play is a function and its name here.

A play takes the cloud, raises AssertionError when something is not as it should be, and gives a line that says what it
saw. What IAM refuses meanwhile fails the check whatever the play says; a play that wants a refusal takes it back.
"""

from collections.abc import Callable

from tests.cloud.plays import acting, api, batches, events, models, operation, pages, rights, sites, stops, watches
from tests.cloud.stack import Cloud

PLAYS: tuple[Callable[[Cloud], str], ...] = (
    operation.tokens_are_made_by_the_command,
    events.samples_are_taken_by_their_functions,
    events.an_event_on_the_bus_starts_a_job_and_its_end_is_told,
    events.an_upload_starts_a_batch,
    pages.listing_pages_pay_one_model_call_and_then_none,
    watches.a_watch_tells_what_its_schedule_finds,
    pages.a_follow_reads_the_whole_listing,
    pages.screenshots_media_and_failures_are_results,
    pages.a_screenshot_says_what_it_lacks_until_the_bucket_has_fonts,
    acting.a_login_is_acted_out_and_its_session_is_kept,
    acting.a_secret_is_its_tenants_alone_and_stored_nowhere,
    pages.browsers_wait_for_one_another,
    pages.what_is_over_six_megabytes_is_read_by_a_presigned_address,
    models.a_model_that_refuses_is_named,
    models.the_daily_cap_ends_a_job_before_it_asks,
    batches.a_batch_of_pages_ends_counted,
    sites.a_site_is_mapped,
    sites.a_site_is_crawled,
    stops.a_stopped_execution_is_closed,
    stops.a_job_and_a_batch_are_called_off,
    stops.a_listing_that_is_stopped_keeps_what_it_has_read,
    stops.a_killed_browser_function_is_run_again,
    api.mcp_tools_answer,
    api.routes_ask_for_a_token_and_open_one_tenant,
    api.routes_answer_whatever_their_parameters,
    watches.watches_that_are_deleted_leave_no_schedule,
    rights.a_schedule_whose_role_may_start_nothing_is_missed,
    operation.the_canary_was_scraped,
    rights.a_right_that_is_taken_away_is_missed,
    operation.the_commands_of_the_page_of_operations_do_what_it_says,
    operation.table_and_bucket_stay_when_the_stack_is_deleted,
)
