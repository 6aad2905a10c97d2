import { RecentAuthenticationRequiredError, StepUpRequiredError } from './errors.ts'

/** How an operation refuses a caller without a fresh proof. */
export const proofRefusals = [StepUpRequiredError, RecentAuthenticationRequiredError] as const
