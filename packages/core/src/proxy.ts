export { BodiesUnderWay } from './infrastructure/infrastructure.ts'
export { proxySigner, type SignAsProxy } from './proxy-guard/client.ts'
export { forwardedAddress, parseJson, refusal } from './request/client.ts'
