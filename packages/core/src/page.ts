export { createPageApi, type PageApiOptions } from './call/call.ts'
