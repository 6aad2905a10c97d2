/** One of three instances, as a process that a test restarts. */
import { runServer } from '@svc/core'
import { application } from './application.ts'

const { url } = await runServer(application())
// The process that started it is gone.
process.once('disconnect', () => process.exit(1))
process.send?.({ url })
