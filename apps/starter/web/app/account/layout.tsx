export { LiveAccountLayout as default } from '@svc/web/account/next'
