export {
  address,
  appPath,
  type DeclaredEnv,
  defineEnv,
  duration,
  type Environment,
  EnvironmentError,
  type EnvironmentSource,
  type EnvReader,
  flag,
  integer,
  list,
  oneOf,
  optional,
  plain,
  required,
  secretProblem,
  text,
  type Variable,
  webAddress,
} from './env/env.ts'
export { shutdownDelayMillis, shutdownVariables } from './http/env.ts'
export { type ProxySecret, proxySecrets } from './proxy-guard/env.ts'
