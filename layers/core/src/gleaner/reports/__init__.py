"""Results where people look at them: a report of one file, a workbook, a notebook's cell. Each value with its proof."""
