export type { AnswerOf, Api, Call, CallOptions, Outcome, Received } from './api.ts'
export { type ApiOptions, createApi } from './create-api.ts'
export { placeHeader, type Wait } from './kept-place.ts'
export { inputHeader, RawBody } from './raw-body.ts'
export { type CallInput, directRequest, type PreparedRequest } from './request.ts'
export { createServerClock, type ServerClock } from './server-clock.ts'
export { signAgainAheadMillis } from './sign-again.ts'
export {
  base64url,
  bodyHash,
  type RequestToSign,
  readUrl,
  requestSigner,
  type SigningKey,
  type SignRequest,
  signRequest,
  utf8,
} from './sign-request.ts'
