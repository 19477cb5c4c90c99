import gc

# The service and the thousands of tests stay in memory. To search them for garbage again and again
# takes a third of the collection's time and a tenth of the tests'.
gc.set_threshold(50_000, 50, 1_000)
