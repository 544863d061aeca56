"""Documents of any kind, a file each: PDF with its pages, Markdown and plain text."""
