import WorkflowCommand

CommandLineTool.prepareThreads()
await CommandLineTool.main()
