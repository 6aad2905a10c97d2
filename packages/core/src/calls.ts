export { sendOnce } from './idempotency/client.ts'
export { RequestInProgressError } from './idempotency/errors.ts'
export { itemsOf, pagesOf } from './paging/client.ts'
