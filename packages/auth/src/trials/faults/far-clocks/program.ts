/** One instance, as a process whose clock a test sets. */
import { defineRouter, defineServer, route, runServer } from '@svc/core'
import { authenticate } from '../../../authenticate/authenticate.ts'
import { createAuthLifecycle } from '../../../lifecycle.ts'
import { oneTimeTokenAuth } from '../../../one-time-token/one-time-token.ts'
import { authRouter } from '../../../router.ts'

const change = route.post('/change').handler(() => ({ changed: true }))
const byToken = route
  .get('/by-token')
  .use([oneTimeTokenAuth])
  .handler(() => ({ opened: true }))

const definition = defineServer()
  .healthCheck({ detailed: true })
  .routes(defineRouter({ change, byToken }).packages([authRouter]).use([authenticate]))
  .lifecycle(createAuthLifecycle({ templates: { 'new-device': null } }))

const { url } = await runServer(definition)
// The process that started it is gone.
process.once('disconnect', () => process.exit(1))
process.send?.({ url })
