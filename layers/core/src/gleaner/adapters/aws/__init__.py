"""DynamoDB, S3, EventBridge, Step Functions and secrets."""
