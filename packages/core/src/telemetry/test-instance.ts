/** The test's application as a process of its own, which says on request what spans it has ended. */
import { runServer } from '../server/run-server.ts'
import { testApplication } from './test-application.ts'
import { recordSpans } from './test-spans.ts'

const recorded = recordSpans()
const { url } = await runServer(testApplication().definition)
process.on('message', () => process.send?.({ spans: recorded.spans() }))
process.send?.({ url })
