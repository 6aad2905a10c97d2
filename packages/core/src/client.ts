export type { AnswerOf, Api, Call, CallOptions, Outcome } from './call/api.ts'
export { ApiUnreachableError } from './call/api-unreachable-error.ts'
export { type ApiOptions, createApi } from './call/create-api.ts'
export { type CallInput, directRequest, type PreparedRequest } from './call/request.ts'
export type { RouteMap } from './call/route-map.ts'
export { createServerClock, type ServerClock } from './call/server-clock.ts'
export {
  type RequestToSign,
  requestSigner,
  type SigningKey,
  type SignRequest,
  signRequest,
} from './call/sign-request.ts'
export { type ErrorEnvelope, refusal } from './errors/envelope.ts'
export * from './errors/errors.ts'
export { HttpError } from './errors/http-error.ts'
