export {
  fetchPublic,
  isPublicAddress,
  type PublicAnswer,
  PublicFetchError,
  type PublicFetchOptions,
} from './public-fetch/public-fetch.ts'
