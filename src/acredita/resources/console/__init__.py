"""The console for staff: the application that `make console` builds from console/."""
