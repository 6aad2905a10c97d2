import { bearerSecret, oneOf } from '../env/env.ts'

export const telemetryVariables = {
  SVC_TRACING: oneOf('off', 'on', 'continue'),
  SVC_OPS_METRICS_TOKEN: bearerSecret,
}

export interface TelemetryEnv {
  readonly SVC_TRACING: 'off' | 'on' | 'continue'
  readonly SVC_OPS_METRICS_TOKEN: string | undefined
}
