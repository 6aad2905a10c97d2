export type { DeclaredEnv, EnvReader } from './env/declared-env.ts'
export {
  defineEnv,
  type Environment,
  EnvironmentError,
  type EnvironmentSource,
  type Variable,
} from './env/define-env.ts'
export { secretProblem } from './env/secret.ts'
export {
  address,
  appPath,
  duration,
  flag,
  integer,
  list,
  oneOf,
  optional,
  required,
  text,
  webAddress,
} from './env/variables.ts'
export { type ProxySecret, proxySecrets } from './proxy-guard/proxy-secrets.ts'
