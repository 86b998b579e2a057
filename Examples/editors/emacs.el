;; Emacs with dape: M-x dape, then workflow, workflow-recording or workflow-attach.
(with-eval-after-load 'dape
  (add-to-list 'dape-configs
               '(workflow modes (lua-mode lua-ts-mode)
                          command "workflow-run" command-args ("debug")
                          :type "workflow" :request "launch"
                          :program dape-buffer-default))
  (add-to-list 'dape-configs
               '(workflow-recording modes (lua-mode lua-ts-mode)
                                    command "workflow-run" command-args ("debug")
                                    :type "workflow" :request "launch"
                                    :program (lambda () (expand-file-name (read-file-name "Recording: ")))))
  (add-to-list 'dape-configs
               '(workflow-attach modes (lua-mode lua-ts-mode)
                                 command "workflow-run" command-args ("debug")
                                 :type "workflow" :request "attach"
                                 :socket (lambda () (expand-file-name (read-file-name "Socket: "))))))
