export { type AuthInterceptorOptions, authInterceptors } from './auth-interceptors.ts'
export { type CsrfMode, configureAuth, type WebAuthConfiguration } from './configure-auth.ts'
export {
  type BoundSessionHandlerOptions,
  createBoundSessionHandler,
} from './dbsc/create-bound-session-handler.ts'
export { readWebEnv, type WebEnv } from './env.ts'
export { createRpcProxy, type RpcProxyOptions } from './proxy/create-rpc-proxy.ts'
export type { Interceptor, ProxyCall } from './proxy/interceptor.ts'
