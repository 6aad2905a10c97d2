export { answerRefusal, callApi } from './call-api.ts'
export {
  type AuthForwarding,
  type AuthForwardingOptions,
  createAuthForwarding,
} from './create-auth-forwarding.ts'
export { createRpcProxy, type FetchHandler, type RpcProxyOptions } from './create-rpc-proxy.ts'
export { forwardedHeaders } from './forwarded-headers.ts'
export { type Interceptor, type Next, type ProxyCall, prepareCall } from './interceptor.ts'
export { readBytes } from './read-input.ts'
