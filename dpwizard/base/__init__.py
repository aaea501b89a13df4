"""What every other package uses: errors, values, safe rounding, files and languages."""
