export {
  type AuthForwarding,
  type AuthForwardingOptions,
  createAuthForwarding,
} from './proxy/create-auth-forwarding.ts'
