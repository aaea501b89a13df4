"""The privacy loss and accuracy of releases, as public functions of numbers; independent of decisions."""
