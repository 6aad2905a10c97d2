export {
  type JwtAccessTokens,
  type JwtResource,
  type JwtResources,
  readJwtResources,
} from './jwt-resources.ts'
export { isJwtForm, isTokenForm, longestToken } from './token-form.ts'
