/**
 * Widely known names, in addition to the generated lists.
 */

const lines = (list: string) => list.trim().split(/\s*[,\n]\s*/)

/** Regions, sights and English names of cities that neither the list of cities nor that of countries holds. */
export const COMMON_PLACES: readonly string[] = lines(`
  Europe, Africa, Asia, Oceania, Antarctica, Scandinavia, Patagonia, Sicily, Sardinia, Corsica, Crete, Tuscany, Andalusia, Catalonia,
  Bavaria, Saxony, Brittany, Normandy, Provence, Siberia, Anatolia, Kurdistan, Kashmir, Punjab, Kerala, Rajasthan, Goa, Bali, Java,
  Sumatra, Borneo, Hokkaido, Okinawa, Honshu, Tibet, Zanzibar, Hawaii, Alaska, Texas, California, Florida, Oregon, Nevada, Arizona,
  Colorado, Utah, Montana, Ohio, Michigan, Illinois, Massachusetts, Virginia, Quebec, Ontario, Alberta, British Columbia, Nova Scotia,
  Queensland, Tasmania, New South Wales, England, Scotland, Wales, Northern Ireland, Great Britain, Britain, UK, USA, UAE, US,
  Tyrol, Tirol, Bayern, Sachsen, Hessen, Toskana, Sizilien, Lombardy, Galicia, Asturias, Basque Country, Silicon Valley, Bay Area,
  Middle East, Latin America, South America, North America, Central America, Southeast Asia, Balkans, Alps, Andes, Himalayas, Pyrenees,
  Caribbean, Mediterranean, Sahara, Amazon Rainforest, Machu Picchu, Grand Canyon, Brooklyn, Manhattan, Queens, Bronx, Harlem,
  Soho, Camden, Hackney, Kreuzberg, Neukölln, Prenzlauer Berg, Montmartre, Shibuya, Shinjuku, Galápagos, Canary Islands, Azores,
  Madeira, Mallorca, Majorca, Ibiza, Tenerife, Santorini, Mykonos, Cappadocia, Serengeti, Yosemite, Yellowstone, Lake District,
  Cornwall, Yorkshire, Kent, Sussex, Devon, Normandie, Bretagne, Alsace, Bourgogne, Côte d'Azur, Czech Republic, Holland, Turkey,
  Gothenburg, Aarhus, Cologne, Frankfurt, Nuremberg, Basle, Berne, Lucerne, Antwerp, Ghent, Bruges, Louvain, Lyons, Marseilles, Dunkirk,
  Seville, Saragossa, Corunna, Palma de Mallorca, Oporto, Mantua, Salonica, Heraklion, Valletta, Cracow, Kiev, Odesa, Lvov, Cluj, Galway,
  Saint Petersburg, St. Petersburg, St Petersburg, Marrakech, Astana, Bombay, Bangalore, Madras, Calcutta, Poona, Trivandrum, Baroda,
  Mangalore, Pondicherry, Gurgaon, Rangoon, Saigon, Danang, Penang, Jogja, Cebu, Makati, Macao, Peking, Xian, Pusan, NYC, Washington DC,
  CDMX, Cuzco
`)

/** Names of tools, languages and products, which are things wherever they stand. */
export const TECHNOLOGIES: readonly string[] = lines(`
  TypeScript, JavaScript, Python, Java, Kotlin, Swift, Rust, Go, Golang, C, C++, C#, Ruby, PHP, Perl, Scala, Clojure, Elixir, Erlang,
  Haskell, OCaml, F#, Zig, Nim, Julia, R, Lua, Dart, Fortran, COBOL, SQL, Bash, PowerShell, HTML, CSS, Sass, WebAssembly, Solidity,
  React, React Native, Next.js, Vue, Vue.js, Nuxt, Angular, Svelte, SvelteKit, Solid, Astro, Remix, jQuery, Tailwind, Tailwind CSS,
  Bootstrap, Node, Node.js, NodeJS, Deno, Bun, Express, Fastify, NestJS, Elysia, Django, Flask, FastAPI, Rails, Ruby on Rails, Laravel,
  Symfony, Spring, Spring Boot, Quarkus, .NET, ASP.NET, Phoenix, GraphQL, gRPC, REST, tRPC, Prisma, Drizzle, Kysely,
  Postgres, PostgreSQL, MySQL, MariaDB, SQLite, Oracle Database, SQL Server, MongoDB, Redis, Valkey, Memcached, Cassandra, CockroachDB,
  DynamoDB, Firestore, Firebase, Supabase, Neo4j, ClickHouse, DuckDB, BigQuery, Snowflake, Elasticsearch, OpenSearch, Typesense,
  Meilisearch, Algolia, Pinecone, Weaviate, Qdrant, Milvus, pgvector, Kafka, RabbitMQ, NATS, Spark, Airflow, dbt, Flink,
  Docker, Docker Desktop, Podman, Kubernetes, Helm, Terraform, OpenTofu, Pulumi, Ansible, Vagrant, Nomad, Vault, Consul, Istio, nginx, Nginx,
  Apache, Caddy, Traefik, AWS, Azure, GCP, Google Cloud, Heroku, Vercel, Netlify, Cloudflare Workers, Lambda, S3, EC2, ECS, EKS,
  Git, GitHub Actions, GitHub Copilot, GitLab CI, Jenkins, CircleCI, Travis CI, Bitbucket, Jira, Confluence, Trello, Asana, Linear, Notion,
  Slack, Microsoft Teams, Zoom, Discord, WhatsApp, Telegram, Signal, Gmail, Outlook, Excel, Word, PowerPoint, Figma, Sketch, Photoshop,
  Illustrator, InDesign, Blender, Unity, Unreal Engine, Godot, AutoCAD, Vim, Neovim, Emacs, VS Code, Visual Studio Code, Visual Studio,
  IntelliJ, IntelliJ IDEA, PyCharm, WebStorm, Xcode, Android Studio, Sublime Text, Zed, Cursor, Eclipse, Jupyter, Obsidian, Evernote,
  Linux, Ubuntu, Debian, Fedora, Arch Linux, NixOS, Windows, macOS, iOS, Android, ChromeOS, Chrome, Firefox, Safari, Edge, Brave,
  TensorFlow, PyTorch, Keras, JAX, scikit-learn, pandas, NumPy, Polars, LangChain, LlamaIndex, Hugging Face, OpenCV, ChatGPT, GPT-4, Claude,
  Gemini, Copilot, Llama, Mistral, Ollama, Stable Diffusion, Midjourney, Vite, Webpack, Rollup, esbuild, Babel, ESLint, Prettier, Biome,
  Jest, Vitest, Mocha, Cypress, Playwright, Selenium, Storybook, Puppeteer, npm, pnpm, Yarn, Maven, Gradle, Bazel, CMake, Datadog, Grafana,
  Prometheus, Sentry, Splunk, New Relic, Kibana, Tableau, Power BI, Looker, Salesforce CRM, HubSpot CRM, WordPress, Drupal, Shopify Plus, Magento,
  Raspberry Pi, Arduino, iPhone, iPad, MacBook, MacBook Pro, MacBook Air, iMac, Apple Watch, AirPods, Kindle, PlayStation, Xbox, Nintendo Switch,
  Steam Deck, Galaxy, Pixel, ThinkPad, Surface Pro, Siri, Alexa, Chromebook, Fitbit, Garmin, Thunderbird, OBS, Tmux, tmux, zsh, fish, Homebrew
`)

/** Lower-case words that can only be a tool, for texts written without capitals. */
export const LOWER_CASE_TECHNOLOGIES: ReadonlySet<string> = new Set(
  `
  typescript javascript python java kotlin golang php ruby scala elixir haskell postgres postgresql mysql mariadb sqlite mongodb
  redis docker kubernetes terraform ansible nginx linux ubuntu debian macos ios android github gitlab jira react vue angular svelte
  nextjs next.js node.js nodejs deno django flask fastapi rails laravel graphql webpack vite eslint vim neovim emacs vscode pytorch
  tensorflow pandas numpy jenkins kafka rabbitmq elasticsearch typesense pgvector aws azure gcp tailwind npm pnpm prisma supabase
  firebase figma c++ c#`
    .trim()
    .split(/\s+/),
)

/** Companies and institutions of the world that a list of brands does not hold. */
export const ORGANIZATIONS: readonly string[] = lines(`
  Google, Microsoft, Apple, Amazon, Meta, IBM, Oracle, Tesla, Netflix, Nvidia, Intel, AMD, OpenAI, Anthropic, DeepMind, SpaceX, NASA, ESA, CERN,
  Walmart, Costco, Target, Tesco, Sainsbury's, Aldi, Lidl, Ikea, Nestlé, Unilever, Danone, Pfizer, Novartis, Roche, Bayer, Sanofi, AstraZeneca,
  BASF, Bosch, Siemens, Volkswagen, BMW, Daimler, Porsche, Allianz, Deutsche Bank, Deutsche Bahn, Lufthansa, Zalando, SAP, Airbus, Boeing,
  Renault, Peugeot, Michelin, Total, Orange, Carrefour, BNP Paribas, Société Générale, Santander, BBVA, Telefónica, Inditex, Iberia, Repsol,
  Toyota, Honda, Sony, Nintendo, Rakuten, SoftBank, Samsung, LG, Huawei, Alibaba, Tencent, Baidu, ByteDance, Xiaomi, Infosys, Wipro, Tata,
  Reliance, Flipkart, Grab, Gojek, Petrobras, Embraer, Nubank, Mercado Libre, Globant, Safaricom, MTN, Ecobank, Dangote, Andela, Jumia,
  McKinsey, Deloitte, Accenture, KPMG, EY, PwC, BCG, Bain, Goldman Sachs, JPMorgan, Morgan Stanley, Citibank, HSBC, Barclays, UBS, Credit Suisse,
  Red Cross, Unicef, UNESCO, United Nations, European Union, World Bank, Greenpeace, Amnesty International, WHO, NHS, BBC, CNN, Reuters,
  MIT, Harvard, Stanford, Yale, Princeton, Oxford, Cambridge, Berkeley, Caltech, ETH Zurich, EPFL, Sorbonne, Sciences Po, UCLA, NYU, LSE,
  Telekom, Decathlon, Capgemini, Thales, Okta, Nike, Dell, Hilton, Mercari, Bloomberg, Indeed,
  Philips, Ericsson, Nokia, Novo Nordisk, Maersk, Volvo, Scania, Equinor, Spotify, Booking.com, Adyen, Ryanair, Uber, Lyft, Airbnb, Stripe
`)
