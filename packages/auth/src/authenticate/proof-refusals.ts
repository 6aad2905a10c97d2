import { RecentAuthenticationRequiredError, StepUpRequiredError } from './errors.ts'

/** How an operation is refused that asks for a fresh proof. */
export const proofRefusals = [StepUpRequiredError, RecentAuthenticationRequiredError] as const
