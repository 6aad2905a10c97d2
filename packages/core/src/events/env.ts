import { defineEnv } from '../env/define-env.ts'
import { text } from '../env/variables.ts'

export const eventVariables = {
  SVC_SSE_CHANNEL_PREFIX: text('svc:sse:'),
}

/** For events that are wired before a server runs. */
export const readEventEnv = defineEnv(eventVariables)
