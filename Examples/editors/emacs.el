;; Emacs with dape: M-x dape, then workflow.
(with-eval-after-load 'dape
  (add-to-list 'dape-configs
               '(workflow modes (lua-mode lua-ts-mode)
                          command "workflow-run" command-args ("debug")
                          :type "workflow" :request "launch"
                          :program dape-buffer-default)))
