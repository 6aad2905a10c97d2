export { createRpcProxy, type RpcProxyOptions } from './proxy/create-rpc-proxy.ts'
export type { Interceptor, ProxyCall } from './proxy/interceptor.ts'
