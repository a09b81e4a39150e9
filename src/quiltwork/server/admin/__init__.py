"""Looking after a server's database, beside a running server or without one.

games      list, find and read games; delete them; take names out of them
retention  delete what is old
archive    back up into one file, and restore from it into any database
check      the settings, the database and the limits of this machine, and what is wrong with them
"""
