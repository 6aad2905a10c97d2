export {
  type AuthForwarding,
  type AuthForwardingOptions,
  createAuthForwarding,
} from './proxy/proxy.ts'
