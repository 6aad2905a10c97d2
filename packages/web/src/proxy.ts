export { readWebEnv, type WebEnv } from './env.ts'
export { createRpcProxy, type RpcProxyOptions } from './proxy/create-rpc-proxy.ts'
export type { Interceptor, ProxyCall } from './proxy/interceptor.ts'
