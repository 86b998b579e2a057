ServeTool.prepareThreads()
await ServeTool.main()
