import { createOAuth2ConsentPage } from '@svc/web/next'

export const { GET, POST } = createOAuth2ConsentPage()
