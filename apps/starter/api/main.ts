import { runServer } from '@svc/core'
import server from './server.ts'

await runServer(server)
