export {
  Answer,
  type AnswerHeaders,
  type BodyOf,
  type Page,
  type Pagination,
  pagination,
  type Success,
  type SuccessWithMeta,
  TextAnswer,
} from './answer.ts'
export { type ErrorEnvelope, refusal } from './envelope.ts'
export { forwardedAddress, withoutMapping } from './forwarded-address.ts'
export { parseJson } from './json-body.ts'
export { isOwnPath } from './own-path.ts'
