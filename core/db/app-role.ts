/** The role of every request: owns nothing and is bound by row-level security. Roles are per cluster, hence the product's name. */
export const APP_ROLE = 'mneme_app'
