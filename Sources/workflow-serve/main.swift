import ServeCommand

ServeTool.prepareThreads()
await ServeTool.main()
