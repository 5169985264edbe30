// Types that conform to the mapping protocols take members from Firn, which a file that imports only this module would not
// find otherwise.
@_exported public import Firn
