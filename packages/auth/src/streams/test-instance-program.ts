import { createLogger, startServer } from '@svc/core'
import { oneTimeTokens } from '../one-time-token/one-time-token.ts'
import { streamingApplication } from './test-application.ts'

const server = await startServer(streamingApplication({ tokenManager: oneTimeTokens }), {
  port: 0,
  log: createLogger({ level: 'silent' }),
})
process.send?.(server.url)
process.once('disconnect', () => void server.stop().then(() => process.exit()))
