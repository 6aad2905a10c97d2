export type { AnswerOf, Api, Call, CallOptions, Outcome, Received } from './api.ts'
export { type ApiOptions, createApi } from './create-api.ts'
export { createPageApi, type PageApiOptions } from './create-page-api.ts'
export { placeHeader, type Wait } from './kept-place.ts'
export type { CallInput, PreparedRequest } from './proxied-request.ts'
export { inputHeader, RawBody } from './raw-body.ts'
export { directRequest } from './request.ts'
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
