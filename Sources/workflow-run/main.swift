import WorkflowCommand

await CommandLineTool.main()
