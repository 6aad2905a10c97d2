import {
  ConflictError,
  ForbiddenError,
  PayloadTooLargeError,
  TooManyRequestsError,
} from '@svc/core'
import { RecentAuthenticationRequiredError, StepUpRequiredError } from '../caller/errors.ts'
import { ApprovalRefusedError, ApprovalRequiredError } from './errors.ts'

export { type ApprovedCall, requireApproval } from './require-approval.ts'
export { whenDecided } from './when-decided.ts'

/** What a call can be refused with that its owner has to approve. */
export const approvalErrors = [
  ApprovalRequiredError,
  ApprovalRefusedError,
  RecentAuthenticationRequiredError,
  StepUpRequiredError,
  ForbiddenError,
  PayloadTooLargeError,
  ConflictError,
  TooManyRequestsError,
] as const
