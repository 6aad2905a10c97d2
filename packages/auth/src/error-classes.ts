import type { ErrorClass } from '@svc/core/contract'
import * as errors from './errors.generated.ts'

/** Every refusal of the service, so that a client gets them as the classes they are. */
export const authErrors: readonly ErrorClass[] = Object.values(errors)
