export { type AuthConfiguration, configureAuth } from '@svc/auth'
export { type AuthInterceptorOptions, authInterceptors } from './auth-interceptors.ts'
export type { CsrfMode } from './configure-auth.ts'
export { readWebEnv, type WebEnv } from './env.ts'
export {
  createRpcProxy,
  type FetchHandler,
  type Interceptor,
  type ProxyCall,
  type RpcProxyOptions,
} from './proxy/proxy.ts'
