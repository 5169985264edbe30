// Must compile: Scripts/check-imports. Dates, data, UUIDs and URLs come with Firn.
import Firn
