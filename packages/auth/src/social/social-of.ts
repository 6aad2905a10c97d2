import type { Infrastructure } from '@svc/core'
import { findRunningAuth, heldOf, runningHeld } from '../auth.ts'
import { socialContract } from './contract.ts'
import type { SocialHeld } from './held.ts'

/** Signing in with an account elsewhere, on the server that a request came to. */
export const socialOf = (server: Infrastructure) => heldOf(server, socialContract) as SocialHeld

/** The same on the server of this process. */
export const runningSocial = () => runningHeld(socialContract) as SocialHeld

/** Null where no server is running. */
export const findRunningSocial = () => (findRunningAuth() ? runningSocial() : null)
