#include "tune/on_test_server.hpp"

#include <pqxx/pqxx>

#include "support/postgres_server.hpp"

namespace dshn::tune::test {

bool has_server() {
  return PostgresServer::is_installed();
}

StoreAddress on_test_server(const std::string& study) {
  return StoreAddress::on_server(postgres_server().url(), study);
}

void change_on_server(const StoreAddress& address, const std::string& sql) {
  pqxx::connection connection(postgres_server().url());
  pqxx::work work(connection);
  work.exec("SET session_replication_role = replica");  // no foreign keys
  work.exec("SET search_path TO \"dshn/" + address.study() + "\"");
  work.exec(sql);
  work.commit();
}

}  // namespace dshn::tune::test
