import { defineEnv, text } from '../env/env.ts'

export const eventVariables = {
  SVC_SSE_CHANNEL_PREFIX: text('svc:sse:'),
}

/** For events that are wired before a server runs. */
export const readEventEnv = defineEnv(eventVariables)
